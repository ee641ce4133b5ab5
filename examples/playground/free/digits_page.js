'use strict';

/* The controls of the tab "Digits". */
const DigitsPage = (() => {
    const MARKUP = `
<div class="digits-columns">
  <div class="panel" role="group" aria-labelledby="digits-learn">
    <h3 id="digits-learn">Learn</h3>
    <label class="field">Learner <select id="digits-kind"></select></label>
    <p class="note" id="digits-about"></p>
    <label class="field">Epochs <input type="number" id="digits-epochs" min="1" max="50" value="10"></label>
    <div class="buttons">
      <button type="button" id="digits-step">Step</button>
      <button type="button" id="digits-run">Run</button>
      <button type="button" id="digits-watch" class="primary">Watch</button>
      <button type="button" id="digits-again">Start again</button>
    </div>
    <label class="field">Speed to watch <input type="range" id="digits-speed" min="0" max="5" value="4"></label>
    <p class="note numbers" id="digits-speed-text"></p>
    <progress id="digits-progress" aria-label="Rows learned" value="0"></progress>
    <p class="note numbers" id="digits-status"></p>
    <div class="digits-row">
      <canvas id="digits-last" class="digits-cells" role="img" width="8" height="8"></canvas>
      <p class="note" id="digits-last-text"></p>
    </div>
  </div>
  <div class="panel" role="group" aria-labelledby="digits-weights-title">
    <h3 id="digits-weights-title">What each digit looks for</h3>
    <p class="note" id="digits-weights-about"></p>
    <ol class="digits-weights" id="digits-weights"></ol>
    <p class="digits-legend"><span>ink here speaks against the digit</span><span class="digits-scale"></span>
      <span>for it</span></p>
  </div>
  <div class="panel digits-draw" role="group" aria-labelledby="digits-draw-title">
    <h3 id="digits-draw-title">Draw a digit</h3>
    <div class="digits-pads">
      <div class="digits-pad">
        <canvas id="digits-pad" role="application" tabindex="0" aria-describedby="digits-keys"
          aria-label="Drawing area for a digit"></canvas>
        <span class="digits-hint" id="digits-hint" aria-hidden="true">draw here</span>
      </div>
      <figure>
        <canvas id="digits-eight" class="digits-cells" role="img" width="8" height="8"></canvas>
        <figcaption class="note">as the data: 8 x 8, ink 0 to 16</figcaption>
      </figure>
    </div>
    <div class="buttons">
      <button type="button" id="digits-clear">Clear</button>
      <button type="button" id="digits-undo">Undo stroke</button>
      <button type="button" id="digits-next">Next test digit</button>
    </div>
    <p class="note" id="digits-keys">Keys: arrows (and Home, End, Page up, Page down) move the pen, Space puts it down
      or lifts it, Backspace takes a stroke back, Delete clears.</p>
    <p class="digits-verdict" id="digits-verdict" role="status"></p>
    <ol class="digits-scores" id="digits-scores" aria-label="Score of each digit"></ol>
  </div>
  <div class="panel digits-test" role="group" aria-labelledby="digits-test-title">
    <h3 id="digits-test-title">Test rows, which it does not learn from</h3>
    <div class="digits-tests">
      <div>
        <p class="digits-accuracy" id="digits-accuracy"></p>
        <div id="digits-curve"></div>
      </div>
      <div class="digits-scroll"><table class="digits-table" id="digits-table"></table></div>
    </div>
    <p class="note" id="digits-wrong-about"></p>
    <ul class="digits-wrong" id="digits-wrong"></ul>
  </div>
  <p class="visually-hidden" role="status" id="digits-say"></p>
</div>`;

    return {MARKUP};
})();
