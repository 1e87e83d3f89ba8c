package server

import "fmt"

// Greeting returns the notices for the operator who starts the server, one per line.
func (s *Server) Greeting() []string {
	at := s.UI
	if at == "" {
		at = s.o.Root
	}
	lines := []string{"readers find this repository at " + at + "/ (Ctrl-C ends it)"}
	const sandbox = "in a sandbox that restricts scripts (give each site its own host with --replay-host " +
		"'*.replay.example')"
	switch {
	case s.alone():
		lines = append(lines, "  archived pages: on the same host, "+sandbox)
	case s.Sites == "":
		lines = append(lines, "  archived pages: at "+s.Replay+"/, "+sandbox)
	default:
		lines = append(lines, "  archived pages: at "+string(s.Sites)+"/, each site on its own host")
	}
	lines = append(lines, s.readers.lines()...)
	if s.UI == "" && (s.readers.networkOnSite != nil || s.readers.networkStaff != nil) {
		lines = append(lines,
			"  the server answers under any host name: an attacker could assign one, and read through a "+
				"reading room's browser (DNS rebinding). The setting any-name: true allows this")
	}
	lines = append(lines, s.spoken()...)
	rules := s.siteRules.Now()
	lines = append(lines, fmt.Sprintf("  site rules: %d, version %s", len(rules.Rules), rules.Version))
	if s.engine != nil {
		lines = append(lines, "  wabac.js is available for pages with complex scripts")
	}
	return append(lines, s.notes...)
}
