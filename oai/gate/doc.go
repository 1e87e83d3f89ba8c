// Package gate lets in whom an agreement allows, at the hours and at the rate that were agreed.
package gate
