// Package oidc knows persons and programs by the OpenID provider of an institution (OpenID Connect Core 1.0): a JSON
// Web Token as the bearer of a request, and a sign-in by authorization code with PKCE (RFC 7636) for browsers.
// docs/reference/377_service.md has the settings.
package oidc
