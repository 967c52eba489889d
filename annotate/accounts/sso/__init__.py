"""Single sign-on for researchers with one OpenID Connect issuer, configured by `ACCORD_SSO_ISSUER`."""
