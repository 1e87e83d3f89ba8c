package placetest

import (
	"bytes"
	"crypto/md5" //nolint:gosec // ETag of S3
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/xml"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"quire/repository/place"
)

// Service is a small S3 service in memory, for tests without a real one. It checks SHA-256 and
// If-None-Match, has uploads in parts, and cold storage classes, which versitygw lacks. It does not
// check signatures. interop/s3 runs the same tests with versitygw.
type Service struct {
	server *httptest.Server

	mu      sync.Mutex
	files   map[string]*stored // by "bucket/key"
	uploads map[string]*upload
	serial  int
	ignores bool
	fault   func(*http.Request) bool
	corrupt func(name string) bool
}

type stored struct {
	text     []byte
	checksum string
	class    string
	sha512   string // in the metadata
	restored bool
	ongoing  bool
}

type upload struct {
	name   string
	class  string
	sha512 string
	parts  map[int][]byte
}

// metaSHA512 is the header with the digest that Quire records.
const metaSHA512 = "X-Amz-Meta-Quire-Sha512"

// NewService starts a service, which ends with the test.
func NewService(t testing.TB) *Service {
	s := &Service{files: map[string]*stored{}, uploads: map[string]*upload{}}
	s.server = httptest.NewServer(s)
	t.Cleanup(s.server.Close)
	return s
}

// URL returns the endpoint of the service.
func (s *Service) URL() string { return s.server.URL }

// Settings returns the settings of a bucket of the service.
func (s *Service) Settings() place.Settings {
	return place.Settings{Endpoint: s.server.URL, AccessKey: "key", SecretKey: "secret", Region: "us-east-1"}
}

// IgnoreConditions makes the service ignore If-None-Match, as some do.
func (s *Service) IgnoreConditions() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ignores = true
}

// Fail makes the requests fail for which fails returns true; nil ends that.
func (s *Service) Fail(fails func(*http.Request) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fault = fails
}

// Corrupt makes the service store wrong bytes for the files for which corrupt returns true, without an
// error; nil ends that.
func (s *Service) Corrupt(corrupt func(name string) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.corrupt = corrupt
}

// Put stores a file under any name, as a hostile writer could.
func (s *Service) Put(name string, text []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.files[name] = &stored{text: text}
}

// Edit changes the bytes of a stored file, or removes it if change returns nil.
func (s *Service) Edit(name string, change func([]byte) []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.files[name]
	if text := change(slices.Clone(f.text)); text != nil {
		f.text = text
	} else {
		delete(s.files, name)
	}
}

// Names lists the files as "bucket/key".
func (s *Service) Names() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sorted("")
}

// Restore completes the restores that are under way, and returns their number.
func (s *Service) Restore() (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range s.files {
		if f.ongoing {
			f.ongoing, f.restored = false, true
			n++
		}
	}
	return n
}

func (s *Service) sorted(prefix string) []string {
	names := []string{}
	for name := range s.files {
		if strings.HasPrefix(name, prefix) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// refuse answers with an error of S3.
func refuse(w http.ResponseWriter, status int, code string) {
	w.Header().Set("Content-Type", "application/xml")
	w.WriteHeader(status)
	_, _ = fmt.Fprintf(w, "<Error><Code>%s</Code><Message>%s</Message></Error>", code, code)
}

func answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/xml")
	text, err := xml.Marshal(v)
	if err != nil {
		panic(err)
	}
	_, _ = w.Write(text)
}

// ServeHTTP implements http.Handler.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client went away: nothing is stored
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fault != nil && s.fault(r) {
		refuse(w, http.StatusForbidden, "AccessDenied")
		return
	}
	if stated := r.Header.Get("X-Amz-Content-Sha256"); len(stated) == 64 && stated != sumHex(text) {
		refuse(w, http.StatusBadRequest, "XAmzContentSHA256Mismatch")
		return
	}
	if stated := r.Header.Get("X-Amz-Checksum-Sha256"); stated != "" && stated != sum64(text) {
		refuse(w, http.StatusBadRequest, "BadDigest")
		return
	}
	name, q := strings.TrimPrefix(r.URL.Path, "/"), r.URL.Query()
	_, key, _ := strings.Cut(name, "/")
	switch {
	case key == "":
		s.bucket(w, strings.TrimSuffix(name, "/"), q)
	case r.Method == http.MethodPut && q.Has("uploadId"):
		s.putPart(w, q, text)
	case r.Method == http.MethodPut:
		s.put(w, r, name, text)
	case r.Method == http.MethodPost:
		s.post(w, r, name, q)
	case r.Method == http.MethodDelete:
		if id := q.Get("uploadId"); id != "" {
			delete(s.uploads, id)
		} else {
			delete(s.files, name)
		}
		w.WriteHeader(http.StatusNoContent)
	default:
		s.get(w, r, name)
	}
}

func sumHex(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

func sum64(text []byte) string {
	sum := sha256.Sum256(text)
	return base64.StdEncoding.EncodeToString(sum[:])
}

// pageOfList is small, so that tests read several pages.
const pageOfList = 3

func (s *Service) bucket(w http.ResponseWriter, bucket string, q url.Values) {
	type content struct {
		Key, StorageClass string
		Size              int
	}
	type pending struct{ Key, UploadId string }
	if q.Has("uploads") {
		var found struct {
			XMLName xml.Name `xml:"ListMultipartUploadsResult"`
			Upload  []pending
		}
		for id, u := range s.uploads {
			if strings.HasPrefix(u.name, bucket+"/"+q.Get("prefix")) {
				found.Upload = append(found.Upload, pending{strings.TrimPrefix(u.name, bucket+"/"), id})
			}
		}
		answer(w, found)
		return
	}
	if q.Has("versions") {
		s.versions(w, bucket, q)
		return
	}
	var found struct {
		XMLName               xml.Name `xml:"ListBucketResult"`
		IsTruncated           bool
		NextContinuationToken string
		Contents              []content
	}
	for _, name := range s.sorted(bucket + "/" + q.Get("prefix")) {
		key := strings.TrimPrefix(name, bucket+"/")
		if key <= q.Get("continuation-token") {
			continue
		}
		if len(found.Contents) == pageOfList {
			found.IsTruncated, found.NextContinuationToken = true, found.Contents[pageOfList-1].Key
			break
		}
		f := s.files[name]
		found.Contents = append(found.Contents, content{key, f.class, len(f.text)})
	}
	answer(w, found)
}

// versions lists the files as the only versions of themselves: the service keeps no others.
func (s *Service) versions(w http.ResponseWriter, bucket string, q url.Values) {
	type version struct{ Key, VersionId string }
	var found struct {
		XMLName xml.Name `xml:"ListVersionsResult"`
		Version []version
	}
	for _, name := range s.sorted(bucket + "/" + q.Get("prefix")) {
		found.Version = append(found.Version, version{strings.TrimPrefix(name, bucket+"/"), "null"})
	}
	answer(w, found)
}

func (s *Service) put(w http.ResponseWriter, r *http.Request, name string, text []byte) {
	f := &stored{text: text, checksum: r.Header.Get("X-Amz-Checksum-Sha256"), sha512: r.Header.Get(metaSHA512),
		class: r.Header.Get("X-Amz-Storage-Class")}
	from := r.Header.Get("X-Amz-Copy-Source")
	if from, _ = url.PathUnescape(strings.TrimPrefix(from, "/")); from != "" {
		old := s.files[from]
		if old == nil {
			refuse(w, http.StatusNotFound, "NoSuchKey")
			return
		}
		if old.cold() {
			refuse(w, http.StatusForbidden, "InvalidObjectState")
			return
		}
		f.text, f.checksum, f.sha512 = old.text, old.checksum, old.sha512
	}
	if !s.place(w, r, name, f) {
		return
	}
	if from != "" {
		answer(w, struct {
			XMLName xml.Name `xml:"CopyObjectResult"`
			ETag    string
		}{ETag: etag(f.text)})
	}
}

func etag(text []byte) string { return fmt.Sprintf("\"%x\"", md5.Sum(text)) } //nolint:gosec // as S3

// place stores a file, unless the condition of the request forbids that.
func (s *Service) place(w http.ResponseWriter, r *http.Request, name string, f *stored) bool {
	if r.Header.Get("If-None-Match") == "*" && s.files[name] != nil && !s.ignores {
		refuse(w, http.StatusPreconditionFailed, "PreconditionFailed")
		return false
	}
	if s.corrupt != nil && s.corrupt(name) {
		f.text = append(slices.Clone(f.text), '!')
	}
	s.files[name] = f
	w.Header().Set("ETag", etag(f.text))
	return true
}

func (s *Service) putPart(w http.ResponseWriter, q url.Values, text []byte) {
	u := s.uploads[q.Get("uploadId")]
	n, err := strconv.Atoi(q.Get("partNumber"))
	if u == nil || err != nil {
		refuse(w, http.StatusNotFound, "NoSuchUpload")
		return
	}
	u.parts[n] = text
	w.Header().Set("ETag", etag(text))
}

func (s *Service) post(w http.ResponseWriter, r *http.Request, name string, q url.Values) {
	switch {
	case q.Has("uploads"):
		s.serial++
		id := fmt.Sprint("upload-", s.serial)
		s.uploads[id] = &upload{name: name, class: r.Header.Get("X-Amz-Storage-Class"),
			sha512: r.Header.Get(metaSHA512), parts: map[int][]byte{}}
		answer(w, struct {
			XMLName  xml.Name `xml:"InitiateMultipartUploadResult"`
			UploadId string
		}{UploadId: id})
	case q.Has("restore"):
		f := s.files[name]
		switch {
		case f == nil:
			refuse(w, http.StatusNotFound, "NoSuchKey")
		case f.ongoing:
			refuse(w, http.StatusConflict, "RestoreAlreadyInProgress")
		default:
			f.ongoing = true
			w.WriteHeader(http.StatusAccepted)
		}
	default:
		s.complete(w, r, name, q.Get("uploadId"))
	}
}

func (s *Service) complete(w http.ResponseWriter, r *http.Request, name, id string) {
	u := s.uploads[id]
	if u == nil {
		refuse(w, http.StatusNotFound, "NoSuchUpload")
		return
	}
	var all, sums bytes.Buffer
	for n := 1; n <= len(u.parts); n++ {
		all.Write(u.parts[n])
		sum := sha256.Sum256(u.parts[n])
		sums.Write(sum[:])
	}
	f := &stored{text: all.Bytes(), class: u.class, sha512: u.sha512,
		checksum: fmt.Sprintf("%s-%d", sum64(sums.Bytes()), len(u.parts))}
	if !s.place(w, r, name, f) {
		return
	}
	delete(s.uploads, id)
	answer(w, struct {
		XMLName xml.Name `xml:"CompleteMultipartUploadResult"`
		Bucket  string
		Key     string
		ETag    string
	}{Bucket: strings.Split(name, "/")[0], Key: name, ETag: etag(f.text)})
}

func (f *stored) cold() bool {
	return (f.class == "GLACIER" || f.class == "DEEP_ARCHIVE") && !f.restored
}

func (s *Service) get(w http.ResponseWriter, r *http.Request, name string) {
	f := s.files[name]
	if f == nil {
		refuse(w, http.StatusNotFound, "NoSuchKey")
		return
	}
	h := w.Header()
	h.Set("ETag", etag(f.text))
	h.Set("Last-Modified", "Sun, 29 Nov 2026 00:00:00 GMT")
	h.Set(metaSHA512, f.sha512)
	if f.class != "" {
		h.Set("X-Amz-Storage-Class", f.class)
	}
	switch {
	case f.ongoing:
		h.Set("X-Amz-Restore", `ongoing-request="true"`)
	case f.restored:
		h.Set("X-Amz-Restore", `ongoing-request="false", expiry-date="Fri, 21 Dec 2029 00:00:00 GMT"`)
	}
	if r.Header.Get("X-Amz-Checksum-Mode") == "ENABLED" {
		h.Set("X-Amz-Checksum-Sha256", f.checksum)
	}
	if r.Method == http.MethodHead {
		h.Set("Content-Length", strconv.Itoa(len(f.text)))
		return
	}
	if f.cold() {
		refuse(w, http.StatusForbidden, "InvalidObjectState")
		return
	}
	from, status := 0, http.StatusOK
	if text, ok := strings.CutPrefix(r.Header.Get("Range"), "bytes="); ok {
		from, _ = strconv.Atoi(strings.TrimSuffix(text, "-"))
		if status = http.StatusPartialContent; from >= len(f.text) {
			refuse(w, http.StatusRequestedRangeNotSatisfiable, "InvalidRange")
			return
		}
		h.Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, len(f.text)-1, len(f.text)))
	}
	h.Set("Content-Length", strconv.Itoa(len(f.text)-from))
	w.WriteHeader(status)
	_, _ = w.Write(f.text[from:])
}
