package server

// Greeting says what the person who starts the server should know, line by line.
func (s *Server) Greeting() []string {
	at := s.UI
	if at == "" {
		at = s.o.Root
	}
	lines := []string{"readers find this repository at " + at + "/ (Ctrl-C ends it)"}
	const sandbox = "in a sandbox, in which scripts do less (give each site a host of its own: --replay-host " +
		"'*.replay.example')"
	switch {
	case s.alone():
		lines = append(lines, "  archived pages: on the same host, "+sandbox)
	case s.Sites == "":
		lines = append(lines, "  archived pages: at "+s.Replay+"/, "+sandbox)
	default:
		lines = append(lines, "  archived pages: at "+string(s.Sites)+"/, each site on a host of its own")
	}
	lines = append(lines, s.readers.lines()...)
	if s.UI == "" && (s.readers.networkOnSite != nil || s.readers.networkStaff != nil) {
		lines = append(lines,
			"  any name of this machine is answered: a stranger can give it one of his own, and have the browser of "+
				"a reading room read for him (any-name: true says that this is wanted)")
	}
	lines = append(lines, s.spoken()...)
	if s.engine != nil {
		lines = append(lines, "  wabac.js shows pages whose scripts need more")
	}
	return append(lines, s.notes...)
}
