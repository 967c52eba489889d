// The classic script in the head of every page, which runs before the first paint and before the first press.

import "./theme.js";
import "./presses.js";
