// The buttons above the sentences, and the conditions under which each button is active.

import { createToolbar } from "../pairs/toolbar.js";

// actions: by name; resets: whether there is a suggestion to restore
export function createTools({ strings, actions, disabled, resets }) {
  const tool = (name, does = "press", text = strings[name]) => ({ name, does, text, run: actions[name] });
  const toolbar = createToolbar(strings.tools, [
    {
      label: strings.newLinks,
      tools: [tool("sure", "choice", strings.Sure), tool("possible", "choice", strings.Possible)],
    },
    { tools: [tool("undo"), tool("redo"), { ...tool("next", "press", strings.nextOpen), sign: "next-open" }] },
    { tools: [tool("matrix", "switch"), tool("changes", "switch"), tool("reset")] },
  ]);

  // changed: the links differ from the suggestion
  function render(state, { changed, keys }) {
    const hidden = disabled;
    const states = {
      sure: { on: state.kind === "sure", hidden },
      possible: { on: state.kind === "possible", hidden },
      undo: { off: !state.undo.length, hidden },
      redo: { off: !state.redo.length, hidden },
      next: { hidden },
      matrix: { on: state.matrix, hidden: false },
      changes: { on: state.changes, hidden: !resets },
      reset: { off: !changed, hidden: hidden || !resets },
    };
    toolbar.render((name) => ({ ...states[name], key: keys[name] }));
  }

  return { element: toolbar.element, render };
}
