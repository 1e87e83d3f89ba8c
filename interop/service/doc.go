// Package service tests the API for operators with tools that others wrote: openapi-spec-validator reads its
// description, and schemathesis makes requests by it.
package service
