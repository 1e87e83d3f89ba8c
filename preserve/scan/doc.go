// Package scan asks clamd, the daemon of ClamAV, whether content has a virus in it. Content is streamed to it as it goes by
// (INSTREAM, see clamd(8)), over a local socket or TCP; nothing is written to disk, and of no payload more than a quarter of a
// megabyte is held.
//
//	s, err := scan.New("/run/clamav/clamd.ctl", scan.Options{})
//	pass := s.Begin(ctx)
//	payload := pass.Payload()
//	payload.Write(content)
//	verdict := payload.Close().Wait() // clean, infected, or not scanned and why
//
// Only a whole answer to a whole stream is believed: whatever else happens, a payload is not scanned, and the verdict says so.
package scan
