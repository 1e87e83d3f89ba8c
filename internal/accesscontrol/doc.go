// Package accesscontrol lets in whom an agreement allows, at the hours and at the rate that were agreed.
//
// It stands before one address, that of the provider; visitors of the website never meet it. Where nothing was agreed, only this
// machine is let in.
//
// Who asks may be hostile. What he sends costs bounded time and memory, passwords are never compared byte by byte, and an address that
// a stranger merely claims (X-Forwarded-For) is not believed.
package accesscontrol
