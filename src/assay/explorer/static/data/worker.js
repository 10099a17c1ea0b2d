// The page's worker: intervals beside it, so that it is never kept waiting.

import { deskOf } from "./desk.js";

const channel = new MessageChannel();
let resume = null;
channel.port1.onmessage = () => resume();

/** Let messages come in between. */
function pause() {
  return new Promise((resolve) => {
    resume = resolve;
    channel.port2.postMessage(null);
  });
}

const hear = deskOf((answer) => postMessage(answer), pause);
onmessage = (event) => hear(event.data);
