// Package token keeps the API tokens of a repository: for each a name, roles, an end, and a salted digest. The token
// itself is shown once, when it is made, and is in no file (docs/reference/377_service.md).
package token
