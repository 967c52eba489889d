// Work that follows the next frame, once for all requests until then: the board answers first.

/** @param {() => void} work */
export function createLater(work) {
  let frame = 0;
  let timer = 0;

  function ask() {
    frame ||= requestAnimationFrame(() => {
      timer = setTimeout(now);
    });
  }

  function now() {
    cancel();
    work();
  }

  function cancel() {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    frame = 0;
  }

  return { ask, now, cancel };
}
