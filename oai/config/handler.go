package config

import "quire/oai/crate"

// HandlerOptions returns the settings of a website for crate.Handler. The caller must add the
// access control (Gate).
func (c Config) HandlerOptions() crate.HandlerOptions {
	return crate.HandlerOptions{
		Name: c.Name, Admin: c.Admin, Base: c.Base, Endpoint: c.Endpoint,
		State: c.State, Folder: c.Folder, Find: c.Find, Aliases: c.Aliases,
		PageRecords: c.Pages.Records, PageBytes: int64(c.Pages.Bytes), ByValue: int64(c.ByValue), Requests: c.Requests,
		Plugins: c.Plugins, Jail: c.Jail,
	}
}
