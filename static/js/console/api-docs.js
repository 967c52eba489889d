// Show the API reference in Swagger UI, with the schema that the page names. Requests that change data carry the CSRF
// token, so `Try it out` works for anyone who has signed in.

import { csrfToken } from "./csrf.js";

const root = document.getElementById("swagger-ui");

window.SwaggerUIBundle({
  url: root.dataset.schema,
  domNode: root,
  deepLinking: true,
  presets: [window.SwaggerUIBundle.presets.apis],
  layout: "BaseLayout",
  requestInterceptor(request) {
    const own = new URL(request.url, location.href).origin === location.origin;
    if (own && !["GET", "HEAD", undefined].includes(request.method)) {
      request.headers[root.dataset.csrfHeader] = csrfToken();
    }
    return request;
  },
});
