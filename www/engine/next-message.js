/** Lets messages that have come meanwhile be handled: a turn of the event loop, not of the microtask queue. */
export function nextMessage() {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve(undefined);
    };
    port2.postMessage(null);
  });
}
