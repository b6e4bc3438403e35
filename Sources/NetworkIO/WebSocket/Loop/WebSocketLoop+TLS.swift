import CWebSockets

extension WebSocketLoop {
  /// Checks that certificates can be used, without using them. Thread: any.
  static func check(_ files: TLSFiles) throws(WebSocketError) {
    switch cwebsockets_check_certificates(files.certificateChain, files.privateKey) {
    case CWEBSOCKETS_NO_CHAIN: throw WebSocketError(.certificateFile, files.certificateChain)
    case CWEBSOCKETS_NO_KEY: throw WebSocketError(.keyFile, files.privateKey)
    case CWEBSOCKETS_OTHER_KEY: throw WebSocketError(.keyMismatch, files.privateKey)
    default: break
    }
  }

  /// Checks that a file has certificates to verify with. Thread: any.
  static func checkRoots(_ verification: TLSVerification) throws(WebSocketError) {
    guard case .roots(let file) = verification else { return }
    guard cwebsockets_check_roots(file) == 1 else { throw WebSocketError(.certificateFile, file) }
  }

  /// Loads a server's first certificates, and has each handshake use the latest ones.
  func useServerContext(_ context: OpaquePointer?) -> Int32 {
    guard let context, case .server(_, _, let files?, _) = purpose else { return -1 }
    load(files)
    let choose: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Int32 = { session, loop in
      guard let loop else { return 0 }
      // SAFETY: the loop outlives its context.
      let identity = Unmanaged<WebSocketLoop>.fromOpaque(loop).takeUnretainedValue().identity
      return cwebsockets_use_identity(session, identity)
    }
    cwebsockets_prepare_server(context, choose, Unmanaged.passUnretained(self).toOpaque())
    return identity == nil ? -1 : 0
  }

  /// Uses other certificates for later handshakes. Connections that are open keep theirs.
  func load(_ files: TLSFiles) {
    guard let loaded = cwebsockets_identity(files.certificateChain, files.privateKey) else { return }
    freeIdentity()
    identity = loaded
  }

  /// Frees the certificates and the key.
  func freeIdentity() {
    SSL_CTX_free(identity)
    identity = nil
  }

  /// Sets the rule by which a client accepts certificates.
  func useClientContext(_ context: OpaquePointer?) -> Int32 {
    guard let context, case .client(_, let verification) = purpose else { return -1 }
    let loop = Unmanaged.passUnretained(self).toOpaque()
    let verify: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Int32 = { chain, loop in
      guard let chain, let loop else { return 0 }
      // SAFETY: the loop outlives its context.
      return Unmanaged<WebSocketLoop>.fromOpaque(loop).takeUnretainedValue().accepts(chain) ? 1 : 0
    }
    switch verification {
    case .systemRoots, .pinned: return cwebsockets_prepare_client(context, nil, verify, loop) == 1 ? 0 : -1
    case .roots(let file): return cwebsockets_prepare_client(context, file, verify, loop) == 1 ? 0 : -1
    }
  }

  /// Decides about a server's certificates.
  private func accepts(_ chain: OpaquePointer) -> Bool {
    guard case .client(let url, let verification) = purpose else { return false }
    let error: Int32
    if case .pinned(let fingerprint) = verification {
      var hash = [UInt8](repeating: 0, count: 32)
      let isKnown = cwebsockets_fingerprint(chain, &hash) == 1 && hash == fingerprint.bytes
      error = isKnown ? X509_V_OK : X509_V_ERR_APPLICATION_VERIFICATION
      if !isKnown { refusal = .certificate("its fingerprint is another one") }
    } else {
      error = cwebsockets_verify(chain, url.host)
      if error != X509_V_OK {
        refusal = .certificate(String(cString: X509_verify_cert_error_string(Int(error))))
      }
    }
    X509_STORE_CTX_set_error(chain, error)
    return error == X509_V_OK
  }
}
