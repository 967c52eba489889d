// Mouse, pen and finger on a board. What is under the pointer is told from measured geometry, because a captured
// pointer reports the element it was captured by. Fingers pan from the gutters; on nodes they draw.

const REACH = 24; // a link being drawn sticks to the nearest node within
const NEAR = { mouse: 8, pen: 12, touch: 14 }; // to a link that is pressed
const STILL = { mouse: 4, pen: 6, touch: 10 }; // less is a press, not a drag
const HOLD = 450; // ms of a long press
const EDGE = 56; // of the window: a drag scrolls there
const SPEED = 14; // px a frame

// act: {nodeOf, hover, tap, press, turn, nothing, drag, drop, lasso, lassoed}; with the first two alone nothing can be
// changed. Returns what stops listening.
export function listenToPointer(board, scene, act) {
  let gesture = null;
  let acted = false; // on a finger's press, the click of which is still to come
  const looking = { pointermove: move, pointerleave: leave };
  const pressing = { pointerdown: down, pointerup: up, pointercancel: cancel };
  const changing = { ...pressing, touchend: lifted, keydown: cancelled, contextmenu: menu, click: clicked };
  const listeners = act.drag ? { ...looking, ...changing } : looking;
  for (const [name, listener] of Object.entries(listeners)) board.addEventListener(name, listener);

  function down(event) {
    if (event.button || !event.isPrimary) return;
    const point = scene.point(event);
    const node = act.nodeOf(event.target);
    const pair = node ? null : scene.linkAt(point, NEAR[event.pointerType]);
    if (!node && event.pointerType === "mouse") event.preventDefault(); // no text is selected by a lasso
    gesture = { finger: event.pointerId, node, pair, from: point, last: event };
    Object.assign(gesture, { moved: false, held: false, timer: 0, frame: 0 });
    if (node || pair) gesture.timer = setTimeout(hold, HOLD);
    board.setPointerCapture(event.pointerId);
  }

  function hold() {
    gesture.held = true;
    act.turn(gesture.node, gesture.pair);
  }

  function move(event) {
    if (!gesture) return hover(event);
    if (event.pointerId !== gesture.finger) return;
    gesture.last = event;
    const { x, y } = scene.point(event);
    if (!gesture.moved && Math.hypot(x - gesture.from.x, y - gesture.from.y) < STILL[event.pointerType]) return;
    clearTimeout(gesture.timer);
    if (gesture.held) return;
    gesture.moved = true;
    follow();
    gesture.frame ||= requestAnimationFrame(scroll);
  }

  function follow() {
    const point = scene.point(gesture.last);
    if (gesture.node) act.drag(gesture.node, point, scene.nodeAt(point, REACH));
    else if (gesture.last.pointerType === "mouse") act.lasso(gesture.from, point);
  }

  // A column may be longer than the window.
  function scroll() {
    if (!gesture) return;
    const { clientY } = gesture.last;
    const by = clientY < EDGE ? -SPEED : clientY > innerHeight - EDGE ? SPEED : 0;
    if (by) {
      scrollBy({ top: by, behavior: "instant" });
      follow();
    }
    gesture.frame = by ? requestAnimationFrame(scroll) : 0;
  }

  function up(event) {
    if (event.pointerId !== gesture?.finger) return;
    const { node, pair, moved, held } = gesture;
    end();
    acted = event.pointerType === "touch";
    if (held) return;
    if (!moved) return node ? act.tap(node, event) : pair ? act.press(pair) : act.nothing();
    if (node) act.drop(node, scene.nodeAt(scene.point(event), REACH));
    else act.lassoed();
  }

  // The browser sends the click of a finger's press to whatever is under the finger by then: a panel that the press has
  // opened, say. The press has been acted on, so there is no click.
  function lifted(event) {
    if (acted && event.cancelable) event.preventDefault();
    acted = false;
  }

  function cancel(event) {
    if (event.pointerId === gesture?.finger) abandon();
  }

  function cancelled(event) {
    if (gesture && event.key === "Escape") abandon();
  }

  function abandon() {
    const { node } = gesture;
    end();
    if (node) act.drop(node, null);
    else act.lassoed();
  }

  function end() {
    clearTimeout(gesture.timer);
    cancelAnimationFrame(gesture.frame);
    gesture = null;
  }

  function hover(event) {
    if (event.pointerType === "touch") return;
    const node = act.nodeOf(event.target);
    act.hover(node, node ? null : scene.linkAt(scene.point(event), NEAR[event.pointerType]));
  }

  function leave(event) {
    if (!gesture && event.pointerType !== "touch") act.hover(null, null);
  }

  // A right click turns; a finger's long press, which also opens a menu, has done so by itself.
  function menu(event) {
    const point = scene.point(event);
    const node = act.nodeOf(event.target);
    const pair = node ? null : scene.linkAt(point, NEAR.mouse);
    if (!node && !pair) return;
    event.preventDefault();
    if (event.pointerType === "mouse" || event.button === 2) act.turn(node, pair);
  }

  // A press without a pointer: a screen reader's, or one by voice.
  function clicked(event) {
    const node = act.nodeOf(event.target);
    if (node && event.detail === 0 && !event.pointerType) act.tap(node, event);
  }

  return () => {
    if (gesture) end();
    for (const [name, listener] of Object.entries(listeners)) board.removeEventListener(name, listener);
  };
}
