// Django requires this token with every request that changes data. With TLS, the cookie's name starts with `__Host-`.

const NAMES = ["__Host-csrftoken", "csrftoken"];

export function csrfToken() {
  const cookies = new Map(
    document.cookie.split("; ").map((part) => {
      const [name, ...value] = part.split("=");
      return /** @type {[string, string]} */ ([name, decodeURIComponent(value.join("="))]);
    }),
  );
  return NAMES.map((name) => cookies.get(name)).find(Boolean) ?? "";
}
