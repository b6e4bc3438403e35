import Glibc

/// Error of a WebSocket server or client. The description names the problem, the address and a remedy.
public struct WebSocketError: Error, Hashable, CustomStringConvertible {
  /// Reason why a server cannot listen, or a client's connection cannot be opened.
  public enum Reason: Hashable, Sendable {
    /// The text is not a URL of a WebSocket.
    case url
    /// The path or the subprotocol has characters that HTTP does not allow there.
    case token
    /// The name of the host is unknown, with the resolver's message.
    case unknownHost(String)
    /// The host does not accept the connection.
    case refused
    /// The connection was not open within its time limit.
    case timeout
    /// The server's certificate is not accepted, with the reason.
    case certificate(String)
    /// The TLS handshake failed for another reason.
    case tls
    /// The server answered without a WebSocket, with the library's reason.
    case notWebSocket(String)
    /// The server offers another subprotocol, or none.
    case subprotocol
    /// The server violated the protocol, or ended the connection within the handshake.
    case violation(String)
    /// The address cannot be listened on (errno).
    case bind(Int32)
    /// The file has no certificates in PEM form.
    case certificateFile
    /// The file has no private key in PEM form, or one with a password.
    case keyFile
    /// The private key belongs to another certificate.
    case keyMismatch
    /// The system gives no thread, descriptor or memory.
    case resources(String)
    /// The server or client has stopped.
    case stopped
  }

  /// Reason for the error.
  public let reason: Reason
  /// URL without its query, address or file.
  public let place: String

  package init(_ reason: Reason, _ place: String) {
    self.reason = reason
    self.place = place
  }

  public var description: String {
    switch reason {
    case .url: "'\(place)' is not the URL of a WebSocket; write wss://HOST:PORT/PATH or ws://HOST:PORT/PATH"
    case .token: "'\(place)' is not a path or subprotocol; use letters, digits and punctuation without spaces"
    case .unknownHost(let text): "the host of \(place) is not known (\(text)); check its name"
    case .refused: "\(place) does not accept connections; check the address, and whether the server runs"
    case .timeout: "\(place) did not answer in time; check the address, the network and the server's load"
    case .certificate(let text):
      "the certificate of \(place) is not accepted (\(text)); check the URL's host, the server's certificate and the roots"
    case .tls: "the TLS handshake with \(place) failed; check whether the port speaks TLS 1.2 or newer"
    case .notWebSocket(let text): "\(place) answers, but is not a WebSocket (\(text)); check its port and path"
    case .subprotocol: "\(place) speaks another subprotocol; check the path and the server's version"
    case .violation(let text): "\(place) ended the handshake (\(text)); check the server's log"
    case .bind(EADDRINUSE): "\(place) is in use by another program; choose another port"
    case .bind(EACCES):
      "\(place) may not be used by this user; choose a port from 1024 on, or give the program CAP_NET_BIND_SERVICE"
    case .bind(EADDRNOTAVAIL): "\(place) is not an address of this machine; choose one that 'ip address' shows"
    case .bind(let code): "\(place) cannot be listened on (\(String(cString: strerror(code)))); choose another"
    case .certificateFile: "'\(place)' has no certificates that can be read; name a file in PEM form"
    case .keyFile: "'\(place)' has no private key that can be read; name a file in PEM form without a password"
    case .keyMismatch: "the private key in '\(place)' belongs to another certificate; name the certificate's own key"
    case .resources(let text): "\(place) needs more than the system gives (\(text)); raise its limits (ulimit -n, -u)"
    case .stopped: "\(place) has stopped; create it again"
    }
  }
}
