//go:build interop

package s3

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"quire/repository/place"
)

// service is a running versitygw.
type service struct {
	t      *testing.T
	folder string
	port   int
	cmd    *exec.Cmd
}

const (
	accessKey = "quire-key"
	secretKey = "quire-secret"
)

// host is the address that services listen on.
var host = "127.0.0.1"

// newService starts versitygw in a folder of the test.
func newService(t *testing.T) *service {
	t.Helper()
	l, err := net.Listen("tcp", host+":0")
	if err != nil {
		t.Fatal(err)
	}
	s := &service{t: t, folder: t.TempDir(), port: l.Addr().(*net.TCPAddr).Port}
	_ = l.Close()
	for _, name := range []string{"data", "versions"} {
		if err := os.Mkdir(filepath.Join(s.folder, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	s.start()
	t.Cleanup(s.kill)
	return s
}

// start starts versitygw, and waits until it answers.
func (s *service) start() {
	s.t.Helper()
	tool, err := filepath.Abs("../../build/interop/bin/versitygw")
	if err != nil {
		s.t.Fatal(err)
	}
	s.cmd = exec.Command(tool, "--port", s.address(), "--quiet", "posix", "--versioning-dir",
		filepath.Join(s.folder, "versions"), filepath.Join(s.folder, "data"))
	s.cmd.Env = append(os.Environ(), "ROOT_ACCESS_KEY="+accessKey, "ROOT_SECRET_KEY="+secretKey)
	if err := s.cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	for range 500 {
		if c, err := net.Dial("tcp", s.address()); err == nil {
			_ = c.Close()
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	s.t.Fatal("versitygw does not answer")
}

// kill ends versitygw with SIGKILL.
func (s *service) kill() {
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait() // a killed process has no useful status
}

func (s *service) address() string  { return fmt.Sprintf("%s:%d", host, s.port) }
func (s *service) endpoint() string { return "http://" + s.address() }

func (s *service) settings() place.Settings {
	return place.Settings{Endpoint: s.endpoint(), AccessKey: accessKey, SecretKey: secretKey, Region: "us-east-1"}
}

func (s *service) client() *minio.Client {
	s.t.Helper()
	c, err := minio.New(s.address(), &minio.Options{
		Creds: credentials.NewStaticV4(accessKey, secretKey, ""), Region: "us-east-1"})
	if err != nil {
		s.t.Fatal(err)
	}
	return c
}

// bucket makes a bucket, with object lock if locked.
func (s *service) bucket(name string, locked bool) {
	s.t.Helper()
	err := s.client().MakeBucket(context.Background(), name, minio.MakeBucketOptions{ObjectLocking: locked})
	if err != nil {
		s.t.Fatal(err)
	}
}
