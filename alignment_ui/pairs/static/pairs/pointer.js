// Mouse, pen and finger on a board. The element under the pointer is determined from measured geometry, because a
// captured pointer reports the element that captured the pointer. A finger that moves up or down scrolls the page, even
// if the movement starts on a node. A finger draws by moving sideways, or in any direction after a long press.

const REACH = 24; // px: a link that is being drawn sticks to the nearest node within this distance
const NEAR = { mouse: 8, pen: 10, touch: 10 }; // px: the distance at which a press hits a link
const STILL = { mouse: 4, pen: 6, touch: 10 }; // px: a shorter movement is a press, not a drag
const HOLD = 450; // ms of a long press
const EDGE = 56; // px: a drag within this distance from the edge of the visible part scrolls the page
const FASTEST = 40; // px per frame
const PACE = 0.4; // px per frame for each px beyond the edge

// act: {nodeOf, hover, tap, press, turn, nothing, drag, drop, lasso, lassoed}, and optionally lift(node) for a long press,
// giveUp(), scrolled() when a finger has moved from a node to a node of the other side while the page scrolled, and
// endAt(event, point), pull(end, point, target) and pulled(end, target) for the ends of links. Without `drag`, nothing
// can be changed. Returns a function that removes the listeners.
export function listenToPointer(board, scene, act) {
  let gesture = null;
  let acted = false; // set by a finger's press, before its click arrives
  let scrolledFrom = null; // the node from which a finger scrolls the page
  const looking = { pointermove: move, pointerleave: leave };
  const pressing = { pointerdown: down, pointerup: up, pointercancel: cancel };
  const changing = { ...pressing, touchmove: swiped, touchend: lifted, contextmenu: menu, click: clicked };
  const listeners = act.drag ? { ...looking, ...changing } : looking;
  const anywhere = act.drag ? { keydown: keyPressed, keyup: keyReleased, pointerdown: secondFinger } : {};
  for (const [name, listener] of Object.entries(listeners)) board.addEventListener(name, listener, { passive: false });
  for (const [name, listener] of Object.entries(anywhere)) document.addEventListener(name, listener, true);

  function down(event) {
    if (event.button || !event.isPrimary) return;
    const point = scene.point(event);
    const node = act.nodeOf(event.target);
    const pair = node ? null : scene.linkAt(point, NEAR[event.pointerType]);
    if (!node && event.pointerType === "mouse") event.preventDefault(); // no text is selected by a lasso
    const end = (!node && act.endAt?.(event, point)) || null;
    gesture = { finger: event.pointerId, node, pair: pair ?? end?.pair, end, from: point, last: event };
    Object.assign(gesture, { moved: false, held: false, timer: 0, frame: 0, visible: visiblePart() });
    if (node && event.pointerType !== "mouse") gesture.timer = setTimeout(hold, HOLD);
    board.setPointerCapture(event.pointerId);
  }

  function hold() {
    gesture.held = true;
    act.lift?.(gesture.node);
  }

  function move(event) {
    if (!gesture) return hover(event);
    if (event.pointerId !== gesture.finger) return;
    gesture.last = event;
    const { x, y } = scene.point(event);
    const [across, along] = [Math.abs(x - gesture.from.x), Math.abs(y - gesture.from.y)];
    if (!gesture.moved && Math.hypot(across, along) < STILL[event.pointerType]) return;
    if (!gesture.moved && isScroll(event, across, along)) return letScroll();
    clearTimeout(gesture.timer);
    gesture.moved = true;
    gesture.frame ||= requestAnimationFrame(advance);
  }

  function isScroll({ pointerType }, across, along) {
    return pointerType === "touch" && !gesture.held && !gesture.end && along > across;
  }

  function letScroll() {
    scrolledFrom = gesture.node;
    giveUp();
  }

  function follow() {
    const point = scene.point(gesture.last);
    if (gesture.node) act.drag(gesture.node, point, nodeUnder(gesture.last), gesture.last.shiftKey);
    else if (gesture.end) act.pull(gesture.end, point, nodeUnder(gesture.last));
    else if (gesture.last.pointerType === "mouse") act.lasso(gesture.from, point);
  }

  // A node that the page's header, footer or a panel covers cannot be selected.
  function nodeUnder(event) {
    const node = scene.nodeAt(scene.point(event), REACH);
    const top = node && document.elementFromPoint(event.clientX, event.clientY);
    return top && (board.contains(top) || top.contains(board)) ? node : null;
  }

  // Once per frame, scroll first and then draw, so that the page is laid out only once.
  function advance() {
    const by = speed(gesture.last);
    if (by) scrollBy({ top: by, behavior: "instant" });
    follow();
    gesture.frame = by ? requestAnimationFrame(advance) : 0;
  }

  // A column may be longer than the window. The speed grows with the distance from the edge of the visible part.
  function speed({ clientY }) {
    const [first, last] = gesture.visible;
    const beyond = clientY < first + EDGE ? clientY - first - EDGE : Math.max(0, clientY - last + EDGE);
    return Math.sign(beyond) * Math.min(FASTEST, Math.ceil(PACE * Math.abs(beyond)));
  }

  function up(event) {
    if (event.pointerId !== gesture?.finger) return;
    const { node, pair, moved, frame, end: pulled } = gesture;
    if (frame) follow();
    end();
    acted = event.pointerType === "touch";
    if (!moved) return node ? act.tap(node, event) : pair ? act.press(pair, scene.point(event)) : act.nothing();
    if (node) act.drop(node, nodeUnder(event), event.shiftKey);
    else if (pulled) act.pulled(pulled, nodeUnder(event));
    else act.lassoed();
  }

  // While a finger draws, the page does not scroll.
  function swiped(event) {
    if (gesture && (gesture.moved || gesture.held) && event.cancelable) event.preventDefault();
  }

  // The browser sends the click of a finger's press to the element that is then under the finger, for example a panel
  // that the press has opened. The press has already been handled, so the click is ignored.
  function lifted(event) {
    if (acted && event.cancelable) event.preventDefault();
    acted = false;
    if (scrolledFrom) afterScroll(scrolledFrom, event.changedTouches[0]);
    scrolledFrom = null;
  }

  // A finger that also crossed to the other side was meant to draw a link.
  function afterScroll(node, touch) {
    const target = scene.nodeAt(scene.point(touch), REACH);
    if (target && target.side !== node.side) act.scrolled?.();
  }

  function cancel(event) {
    if (event.pointerId === gesture?.finger) letScroll();
  }

  // The focus may be anywhere on the page while a finger draws.
  function keyPressed(event) {
    if (!gesture) return;
    if (event.key === "Shift") keyReleased(event);
    if (event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    giveUp();
  }

  // Shift changes the link that is being drawn at once, without a movement.
  function keyReleased(event) {
    if (!gesture?.moved || event.key !== "Shift" || !gesture.node) return;
    act.drag(gesture.node, scene.point(gesture.last), nodeUnder(gesture.last), event.shiftKey);
  }

  function secondFinger(event) {
    if (gesture && event.pointerId !== gesture.finger) giveUp();
  }

  function giveUp() {
    const { node } = gesture;
    end();
    if (act.giveUp) act.giveUp();
    else if (node) act.drop(node, null);
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

  // A right click turns. A finger's long press opens no menu.
  function menu(event) {
    const point = scene.point(event);
    const node = act.nodeOf(event.target);
    const pair = node ? null : scene.linkAt(point, NEAR.mouse);
    if (!node && !pair) return;
    event.preventDefault();
    if (event.pointerType === "mouse" || event.button === 2) act.turn(node, pair);
  }

  // A press without a pointer, from a screen reader or by voice.
  function clicked(event) {
    const node = act.nodeOf(event.target);
    if (node && event.detail === 0 && !event.pointerType) act.tap(node, event);
  }

  // The window without the parts of the page that always stay, as the page's scroll padding states.
  function visiblePart() {
    const { scrollPaddingTop, scrollPaddingBottom } = getComputedStyle(document.documentElement);
    return [Number.parseFloat(scrollPaddingTop) || 0, innerHeight - (Number.parseFloat(scrollPaddingBottom) || 0)];
  }

  return () => {
    if (gesture) end();
    for (const [name, listener] of Object.entries(listeners)) board.removeEventListener(name, listener);
    for (const [name, listener] of Object.entries(anywhere)) document.removeEventListener(name, listener, true);
  };
}
