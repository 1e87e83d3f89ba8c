//go:build interop

package clamav

import (
	"context"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quire/internal/clamdtest"
	"quire/preserve/antivirus"
)

// The name of EICAR in our database. clamd adds .UNOFFICIAL to names that are not from ClamAV.
const (
	signature     = "Quire.Test.EICAR"
	htmlSignature = "Quire.Test.EICAR.HTML"
)

// daemon is a private clamd in the foreground, with its own configuration, socket and database. It
// uses no network.
type daemon struct {
	dir, socket string
	cmd         *exec.Cmd
}

// newDaemon writes the configuration and the database. The limits are low, so that tests can exceed
// them.
func newDaemon(t *testing.T) *daemon {
	t.Helper()
	if _, err := exec.LookPath("clamd"); err != nil {
		t.Skip("clamd is not installed (Debian: clamav-daemon)")
	}
	dir, err := os.MkdirTemp("", "clamd") // the path of the test's own folder is too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	d := &daemon{dir: dir, socket: filepath.Join(dir, "socket")}
	conf := fmt.Sprintf("Foreground yes\nLocalSocket %s\nDatabaseDirectory %s\nPidFile %s\nTemporaryDirectory %s\n"+
		"StreamMaxLength 2M\nMaxFileSize 1M\nAlertExceedsMax yes\n",
		d.socket, filepath.Join(dir, "database"), filepath.Join(dir, "pid"), dir)
	if os.Getuid() == 0 {
		conf += "User root\n"
	}
	// Extended signatures: name, kind of file (0 any, 3 HTML), any position, the bytes (ClamAV
	// manual, "Body-based Signature Content Format"). clamd normalizes HTML to lower case before it
	// scans it.
	database := signature + ":0:*:" + hex.EncodeToString([]byte(clamdtest.EICAR())) + "\n" +
		htmlSignature + ":3:*:" + hex.EncodeToString([]byte(strings.ToLower(clamdtest.EICAR()))) + "\n"
	for name, content := range map[string]string{"clamd.conf": conf, "database/quire.ndb": database} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return d
}

// start starts clamd and waits until it answers.
func (d *daemon) start(t *testing.T) {
	t.Helper()
	d.cmd = exec.Command("clamd", "--config-file", filepath.Join(d.dir, "clamd.conf"))
	if err := d.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.stop)
	s := d.scanner(t, antivirus.Options{})
	for range 3000 {
		if s.Ping(context.Background()) == nil {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatal("clamd does not answer within five minutes")
}

// stop kills clamd, as a crash would.
func (d *daemon) stop() {
	if d.cmd != nil {
		_ = d.cmd.Process.Kill()
		_ = d.cmd.Wait()
		_ = os.Remove(d.socket)
		d.cmd = nil
	}
}

func (d *daemon) scanner(t *testing.T, o antivirus.Options) *antivirus.Scanner {
	t.Helper()
	s, err := antivirus.New(d.socket, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
