// What classic scripts and events add to a page. The checker reads this file, and browsers never load it.

interface HtmxDetail {
  elt: HTMLElement;
  headers: Record<string, string>;
  xhr: XMLHttpRequest;
}

interface DocumentEventMap {
  "htmx:configRequest": CustomEvent<HtmxDetail>;
  "htmx:responseError": CustomEvent<HtmxDetail>;
  "htmx:load": CustomEvent<HtmxDetail>;
}

// The libraries in static/vendor come without types.
declare var Plot: any;
declare var d3: any;
declare var SwaggerUIBundle: any;

// The memory that all bundles of a page share where a browser forbids storage (annotate/storage.js).
declare var accordMemory: Map<string, unknown>;
