'use strict';

/* The HTML of the tab "Words". */
const WordsPage = (() => {
    const FIRST = 'Call me for a free lunch, and win a parcel of cheap tickets';

    const MARKUP = `
<div class="words-columns">
  <div class="panel words-messages" role="group" aria-labelledby="words-messages">
    <h3 id="words-messages">Messages</h3>
    <p class="note">Mark what is spam; each mark is learned at once. The same mark again takes it back. Step marks the
      next message as it is meant, Watch one after the other, Run all.</p>
    <div class="buttons">
      <button type="button" id="words-step">Step</button>
      <button type="button" id="words-run">Run</button>
      <button type="button" id="words-watch" class="primary">Watch</button>
      <button type="button" id="words-undo">Undo</button>
      <button type="button" id="words-again">Start again</button>
    </div>
    <p class="note" id="words-keys">Keys in the list: up and down go to another message, left and right from button to
      button.</p>
    <ul class="words-list" id="words-list" aria-label="Messages" aria-describedby="words-keys"></ul>
  </div>
  <div class="panel words-write" role="group" aria-labelledby="words-write">
    <h3 id="words-write">Write or paste</h3>
    <label for="words-text">A message, or one on each line</label>
    <textarea id="words-text" rows="3" spellcheck="false">${FIRST}</textarea>
    <div class="buttons">
      <button type="button" id="words-spam">Mark as spam</button>
      <button type="button" id="words-fine">Mark as not spam</button>
    </div>
    <div class="words-live" id="words-live"></div>
    <p class="words-key note"><mark class="spam">speaks for spam</mark> <mark class="fine">speaks against</mark> the
      stronger, the heavier the word; plain words have no weight yet</p>
  </div>
  <div class="panel words-settings" role="group" aria-labelledby="words-settings">
    <h3 id="words-settings">How they learn</h3>
    <div class="words-fields">
      <label class="field">Sure by a margin of <select id="words-margin"><option>0</option><option>1</option>
        <option selected>4</option><option>16</option></select></label>
      <label class="field">Winnow's factor <select id="words-alpha"><option>1.5</option><option selected>2</option>
        <option>4</option></select></label>
      <label class="field">Passes over the marks <select id="words-passes"><option selected>1</option><option>2</option>
        <option>5</option><option>10</option></select></label>
    </div>
  </div>
  <div class="words-learners" id="words-learners"></div>
  <p class="visually-hidden" role="status" id="words-say"></p>
</div>`;

    return {MARKUP};
})();
