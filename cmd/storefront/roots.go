package main

// The certificate authorities for systems that have none, such as an image of this program alone.
import _ "golang.org/x/crypto/x509roots/fallback"
