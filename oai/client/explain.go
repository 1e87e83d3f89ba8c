package client

import (
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"syscall"
)

// explain says what a failure of the connection means, and whether to try again.
func explain(err error) error {
	var (
		known    *transient
		unknown  x509.UnknownAuthorityError
		host     x509.HostnameError
		invalid  x509.CertificateInvalidError
		dns      *net.DNSError
		location *url.Error
	)
	switch {
	case err == nil, errors.As(err, &known), errors.Is(err, ErrRedirect), errors.Is(err, ErrReach),
		errors.Is(err, ErrTooLarge):
		return err
	case errors.As(err, &unknown):
		return fmt.Errorf("the certificate of the server is signed by nobody whom this machine trusts: install the "+
			"authority's certificate here, if you trust it (%w)", err)
	case errors.As(err, &host):
		return fmt.Errorf("the certificate is not for this name: is the base URL right? (%w)", err)
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return fmt.Errorf("the certificate of the server is out of date, or the clock of this machine is wrong (%w)",
			err)
	case errors.As(err, &invalid):
		return fmt.Errorf("the certificate of the server is not valid (%w)", err)
	case errors.As(err, &dns) && dns.IsNotFound:
		return fmt.Errorf("there is no host %s: is the base URL right? (%w)", dns.Name, err)
	case errors.Is(err, syscall.ECONNREFUSED):
		return &transient{fmt.Errorf("nobody answers at this address: is the server running? (%w)", err)}
	case errors.As(err, &location), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return &transient{err}
	}
	return err
}
