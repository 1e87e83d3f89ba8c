// Package accesscontrol lets in whom an agreement allows, at the hours and at the rate that were
// agreed.
//
// It stands before one address, that of the provider; visitors of the website never meet it. Where
// nothing was agreed, only this machine is let in.
//
// Clients may be hostile. A request costs bounded time and memory, passwords are never compared
// byte by byte, and an address that a stranger merely claims (X-Forwarded-For) is not believed.
package accesscontrol
