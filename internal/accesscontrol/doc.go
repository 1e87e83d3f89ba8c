// Package accesscontrol authorizes clients by agreement: network, credentials, hours and rate.
//
// It protects one address, that of the provider; visitors of the website never reach it. Without an
// agreement only this machine is authorized.
//
// Clients may be hostile. A request costs bounded time and memory, secrets are compared in constant
// time, and an unverified address (X-Forwarded-For) is not trusted.
package accesscontrol
