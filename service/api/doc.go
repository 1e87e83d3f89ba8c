// Package api is the API of the service: REST with a description by OpenAPI 3.1 (https://spec.openapis.org/oas/v3.1.0),
// which is made from the code. Errors have the form of RFC 9457. One place decides on the role of each request: an
// operation that package role does not list cannot be added (docs/reference/377_service.md).
package api
