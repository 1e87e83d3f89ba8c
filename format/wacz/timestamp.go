package wacz

import (
	"bytes"
	"crypto/x509"
	"slices"
	"time"

	"quire/format/timestamp"
)

// timestamp checks the time stamp and returns its time; zero if it cannot be read.
func (c *Checked) timestamp(s *Signed, created time.Time, o Options) time.Time {
	if s.TimeSignature == "" {
		c.add(StepTimestamp, NotChecked, "there is no timeSignature")
		return time.Time{}
	}
	der, err := decode(s.TimeSignature)
	if err != nil {
		c.add(StepTimestamp, Fail, "timeSignature is no base64: %v", err)
		return time.Time{}
	}
	t, err := timestamp.Parse(der)
	if err != nil {
		c.add(StepTimestamp, Fail, "timeSignature: %v", err)
		return time.Time{}
	}
	chain, err := certificates(s.TimestampCert)
	if err != nil && len(t.Certificates) == 0 {
		c.add(StepTimestamp, NotChecked, "timestampCert: %v", err)
	} else {
		c.stampedBy(t, chain, o)
	}
	sum := t.Sum([]byte(s.Signature))
	c.verdict(StepStamped, bytes.Equal(sum, t.Imprint),
		"the time stamp is of %x, and the signature, as the base64 that it is, has the %s %x", t.Imprint, t.Hash, sum)
	if created.IsZero() {
		c.add(StepStampTime, NotChecked, "it is of %s, and the time that is stated cannot be read",
			t.Time.Format(time.RFC3339))
	} else {
		apart := created.Sub(t.Time)
		c.verdict(StepStampTime, apart.Abs() <= stampLimit, "it is of %s, and created says %s: %s apart",
			t.Time.Format(time.RFC3339), created.Format(time.RFC3339), apart.Abs())
	}
	return t.Time
}

// stampedBy checks the signer of the time stamp. It finds the signer's certificate, named in the
// token, among the enclosed certificates and those within the token.
func (c *Checked) stampedBy(t *timestamp.Stamp, chain []*x509.Certificate, o Options) {
	all := append(slices.Clone(chain), t.Certificates...)
	i := slices.IndexFunc(all, t.IsSigner)
	if i < 0 {
		c.add(StepTimestamp, Fail, "none of the %d certificates is that of the signer whom it names", len(all))
		return
	}
	leaf := all[i]
	if err := t.Verify(leaf); err != nil {
		c.add(StepTimestamp, Fail, "it is not signed by %s: %v", leaf.Subject, err)
	} else {
		c.add(StepTimestamp, Pass, "it is signed by %s", leaf.Subject)
	}
	usage := slices.Contains(leaf.ExtKeyUsage, x509.ExtKeyUsageTimeStamping)
	valid := !t.Time.Before(leaf.NotBefore) && !t.Time.After(leaf.NotAfter)
	c.verdict(StepStampValidity, usage && valid,
		"the certificate counts from %s to %s, for time stamps: %v; the time stamp is of %s",
		leaf.NotBefore.Format(time.RFC3339), leaf.NotAfter.Format(time.RFC3339), usage, t.Time.Format(time.RFC3339))
	if i >= len(chain) { // not among the enclosed certificates
		chain = t.Certificates
		i -= len(all) - len(t.Certificates)
	}
	ordered := append([]*x509.Certificate{leaf}, slices.Delete(slices.Clone(chain), i, i+1)...)
	c.chain(StepStampChain, StepStampTrust, ordered, o.TimestampRoots, t.Time,
		x509.VerifyOptions{KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageTimeStamping}})
}
