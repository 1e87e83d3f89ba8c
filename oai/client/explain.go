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

// explain translates a connection error for people and marks errors worth a retry.
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
	case err == nil, errors.As(err, &known), errors.Is(err, ErrRedirect), errors.Is(err, ErrAddressRefused),
		errors.Is(err, ErrTooLarge), errors.Is(err, ErrHostDown):
		return err
	case errors.As(err, &unknown):
		return fmt.Errorf("no authority that this machine trusts signed the server's certificate: "+
			"install the authority's certificate here, if you trust it (%w)", err)
	case errors.As(err, &host):
		return fmt.Errorf("the certificate is for another name: check the base URL (%w)", err)
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return fmt.Errorf("the certificate of the server is out of date, or the clock of this machine is wrong (%w)",
			err)
	case errors.As(err, &invalid):
		return fmt.Errorf("the certificate of the server is not valid (%w)", err)
	case errors.As(err, &dns) && dns.IsNotFound:
		return fmt.Errorf("host %s does not exist: check the base URL (%w)", dns.Name, err)
	case errors.Is(err, syscall.ECONNREFUSED):
		return &transient{fmt.Errorf("no server answers at this address: check that it is running (%w)", err)}
	case errors.As(err, &location), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return &transient{err}
	}
	return err
}
