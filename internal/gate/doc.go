// Package gate lets in whom an agreement allows, at the hours and at the rate that were agreed.
//
//	g, err := gate.New(gate.Config{Allow: []gate.Agreement{{Networks: []string{"192.0.2.0/24"}, Hours: []string{"20:00-06:00 Europe/Brussels"}}}}, gate.Options{})
//	http.Handle("/modoai", g.Wrap(provider)) // who has no agreement gets 403 and one line
//	fmt.Println(g)                           // what holds
//
// It stands before one address, that of the provider; visitors of the website never meet it. Where nothing was agreed, only this
// machine is let in.
//
// Who asks may be hostile. What he sends costs bounded time and memory, passwords are never compared byte by byte, and an address that
// a stranger merely claims (X-Forwarded-For) is not believed.
package gate
