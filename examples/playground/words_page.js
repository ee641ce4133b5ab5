'use strict';

/* The HTML of the tab "Words", and the messages that are ready to be marked: 1 is spam, -1 is not. */
const WordsPage = (() => {
    const FIRST = 'Call me for a free lunch, and win a parcel of cheap tickets';

    const READY = [
        [1, 'Win a free holiday now, just click and claim your prize'],
        [-1, 'Are we still on for lunch today at noon?'],
        [1, 'You have won cash, call now to claim it today'],
        [-1, 'The meeting moved to Monday at ten, same room'],
        [-1, 'Can you call me when you are home?'],
        [1, 'Last chance: your free prize ends today'],
        [1, 'Cheap watches, best price, order now and save'],
        [-1, 'Your order of printer paper came this morning'],
        [-1, 'Are you free on Friday evening for a film?'],
        [1, 'Get a loan in minutes, no questions, click here'],
        [-1, 'The train is late, I will be there at eight'],
        [1, 'Congratulations, you are our lucky winner, claim your cash'],
        [1, 'Your parcel waits, pay a small fee, click the link now'],
        [-1, 'Please send me the report before the meeting'],
        [1, 'Special offer: two for one, best price, only today'],
        [-1, 'Thanks for the soup, it was lovely'],
        [-1, 'Your parcel is with the neighbour, she is home until six'],
        [1, 'Work from home and earn cash every week, no skills needed'],
        [-1, 'The library book is due this week'],
        [1, 'Double your money in a week, safe and easy'],
        [1, 'Free tickets for you, text WIN to claim'],
        [-1, 'Could you pick up bread and milk on the way home?'],
        [-1, 'Who won the match last night? I missed it'],
        [1, 'You are chosen for a secret offer, reply now to win'],
        [-1, 'Notes of the meeting are in the usual folder'],
        [1, 'Lose weight fast with this one trick, order today'],
        [-1, 'I left the keys on the kitchen table'],
        [1, 'Best deal of the year, save on every order, click here'],
        [1, 'Claim your free ringtone now, text YES'],
        [-1, 'Happy birthday, see you at the party on Saturday'],
        [1, 'Your account is locked, click the link and pay the fee'],
        [-1, 'We need two more chairs for Friday'],
        [1, 'Play and win: free coins, easy money, no risk'],
        [-1, 'The cat is back from the vet, all is well'],
        [-1, 'Shall I book the table for four or for six?'],
        [1, 'Hot shares will double this week, buy now']
    ];

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

    return {READY, MARKUP};
})();
