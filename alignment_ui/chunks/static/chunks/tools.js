// The buttons above the sentences, and the conditions under which each button is active.

import { createToolbar } from "../pairs/toolbar.js";

// actions: by name; show(step); resets: whether there is a suggestion to restore
export function createTools({ strings, actions, show, disabled, resets }) {
  const tool = (name, does = "press", run = actions[name]) => ({ name, does, text: strings[name], run });
  const toolbar = createToolbar(strings.tools, [
    { label: strings.step, tools: ["chunks", "links"].map((name) => tool(name, "choice", () => show(name))) },
    { tools: [tool("undo"), tool("redo")] },
    { tools: [tool("join"), tool("split"), tool("singles")] },
    { tools: [tool("reset")] },
  ]);

  // covered: each word is in a chunk; changed: the annotation differs from the suggestion
  function render(state, { covered, changed, keys }) {
    const linking = state.step === "links";
    const hidden = disabled;
    const states = {
      chunks: { on: !linking },
      links: { on: linking, off: !covered },
      undo: { off: !state.undo.length, hidden },
      redo: { off: !state.redo.length, hidden },
      join: { hidden },
      split: { hidden },
      singles: { off: covered, hidden: hidden || linking },
      reset: { off: !changed, hidden: hidden || !resets },
    };
    toolbar.render((name) => ({ ...states[name], key: keys[name] }));
  }

  return { element: toolbar.element, render };
}
