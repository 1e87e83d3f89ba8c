package webhook

import (
	"bytes"
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"quire/repository/jobs"
)

// Hook is a receiver of messages.
type Hook struct {
	Name       string
	URL        string // https, or http on the loopback
	SecretFile string // has the key: whsec_ and 24 to 64 bytes in base64
	States     []jobs.State
}

// DefaultStates are the ends that a hook without states gets: those that need a person.
var DefaultStates = []jobs.State{jobs.Failed, jobs.Problems}

// Message is the body. It names no package and no path: the receiver asks the API, as its roles allow.
type Message struct {
	Type      string    `json:"type"` // job.failed, or test
	Timestamp time.Time `json:"timestamp"`
	Data      *Data     `json:"data,omitempty"`
}

// Data is the job that ended.
type Data struct {
	Job        int64     `json:"job"`
	Kind       string    `json:"kind"` // audit
	State      string    `json:"state"`
	ExitStatus *int      `json:"exit_status,omitempty"`
	Queue      string    `json:"queue"`
	By         string    `json:"by"`
	Submitted  time.Time `json:"submitted"`
	Ended      time.Time `json:"ended"`
	URL        string    `json:"url,omitempty"` // of the job in the API
}

// ErrRefused reports a receiver that wants no more messages (410 Gone). It is not asked again for this one.
var ErrRefused = errors.New("the receiver refused the message")

const (
	keyPrefix  = "whsec_"
	keyLeast   = 24
	keyMost    = 64
	sendTime   = 20 * time.Second
	answerMost = 64 << 10
)

var hookName = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// ValidName reports whether a webhook can have a name.
func ValidName(name string) bool { return len(name) <= 40 && hookName.MatchString(name) }

// CheckStates refuses states that are no end of a job.
func CheckStates(all []jobs.State) error {
	ends := []jobs.State{jobs.Done, jobs.Problems, jobs.Failed, jobs.Cancelled, jobs.Lost}
	for _, s := range all {
		if !slices.Contains(ends, s) {
			return fmt.Errorf("%q is no end of a job: those are %v", s, ends)
		}
	}
	return nil
}

// Check tests the settings, and that the key can be read.
func (h *Hook) Check() error {
	_, err := h.key()
	return cmp.Or(h.checkURL(), err)
}

func (h *Hook) checkURL() error {
	u, err := url.Parse(h.URL)
	if err != nil || u.Host == "" || u.User != nil || u.Fragment != "" || u.Scheme != "https" && u.Scheme != "http" {
		return fmt.Errorf("the webhook %s has no URL such as https://host.example/path", h.Name)
	}
	if u.Scheme == "http" && !isLoopback(u.Hostname()) {
		return fmt.Errorf("the webhook %s: the URL needs https, unless it is of the loopback address", h.Name)
	}
	return nil
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

func (h *Hook) key() ([]byte, error) {
	text, err := os.ReadFile(h.SecretFile)
	if err != nil {
		return nil, fmt.Errorf("the secret of the webhook %s: %w", h.Name, err)
	}
	encoded, ok := strings.CutPrefix(strings.TrimSpace(string(text)), keyPrefix)
	key, err := base64.StdEncoding.DecodeString(encoded)
	if !ok || err != nil || len(key) < keyLeast || len(key) > keyMost {
		return nil, fmt.Errorf("%s, the secret of the webhook %s, is not %s and %d to %d bytes in base64", h.SecretFile,
			h.Name, keyPrefix, keyLeast, keyMost)
	}
	return key, nil
}

// Of returns the message on a job. base is the URL of the service, "" if it is unknown.
func Of(j *jobs.Job, base string) Message {
	d := &Data{Job: j.ID, State: string(j.State), Queue: j.Queue, By: j.By, Submitted: j.Submitted, Ended: j.Ended}
	if len(j.Command) > 0 {
		d.Kind = j.Command[0]
	}
	if j.Report != nil {
		d.ExitStatus = j.Report.ExitStatus
	}
	if base != "" {
		d.URL = base + "/api/v1/jobs/" + strconv.FormatInt(j.ID, 10)
	}
	return Message{Type: "job." + string(j.State), Timestamp: j.Ended, Data: d}
}

// Send sends a message once. The id is that of all tries. It follows no redirect. The error is [ErrRefused] if a
// further try makes no sense.
func (h *Hook) Send(ctx context.Context, id string, m Message) error {
	if err := h.checkURL(); err != nil {
		return err
	}
	key, err := h.key()
	if err != nil {
		return err
	}
	body, err := json.Marshal(m)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, sendTime)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, h.URL, bytes.NewReader(body))
	if err != nil {
		return err
	}
	now := strconv.FormatInt(time.Now().Unix(), 10)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", "quire")
	r.Header.Set("webhook-id", id)
	r.Header.Set("webhook-timestamp", now)
	r.Header.Set("webhook-signature", sign(key, id, now, body))
	transport := &http.Transport{Proxy: http.ProxyFromEnvironment, DisableKeepAlives: true}
	client := &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
	answer, err := client.Do(r)
	if err != nil {
		return fmt.Errorf("the webhook %s: %w", h.Name, withoutURL(err))
	}
	_, _ = io.CopyN(io.Discard, answer.Body, answerMost) // its text means nothing
	return errors.Join(judged(h.Name, answer.StatusCode), answer.Body.Close())
}

// withoutURL removes the URL of a receiver, which can have a secret, from an error.
func withoutURL(err error) error {
	if of, ok := errors.AsType[*url.Error](err); ok {
		return of.Err
	}
	return err
}

// judged returns the error for an answer.
func judged(name string, status int) error {
	switch {
	case status/100 == 2:
		return nil
	case status == http.StatusGone:
		return fmt.Errorf("the webhook %s: %w: status %d", name, ErrRefused, status)
	}
	return fmt.Errorf("the webhook %s answered with status %d", name, status)
}

// sign returns the signature of Standard Webhooks 1.0: HMAC-SHA256 over id, time and body.
func sign(key []byte, id, now string, body []byte) string {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + now + "."))
	mac.Write(body)
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}
