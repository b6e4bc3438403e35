/// Error of a GET request. The description names the problem, the URL and a remedy.
package struct HTTPRequestError: Error, Hashable, CustomStringConvertible {
  /// Reason for the error.
  package enum Reason: Hashable, Sendable {
    /// The text is not a URL.
    case url
    /// The URL begins with `https://`.
    case encrypted
    /// The host is unknown, or does not take the connection, with the system's words.
    case unreachable(String)
    /// The answer has not come in time.
    case limit
    /// The answer is not one of success, with the fault.
    case answer(String)
  }

  /// Reason for the error.
  package let reason: Reason
  /// URL as given.
  package let url: String

  init(_ reason: Reason, _ url: String) {
    self.reason = reason
    self.url = url
  }

  package var description: String {
    switch reason {
    case .url: "'\(url)' is not a URL of this form; write http://HOST:PORT/PATH, such as http://127.0.0.1:9090/metrics"
    case .encrypted: "'\(url)' begins with https://, and only plain http:// is read here; use a local address"
    case .unreachable(let words): "\(url) cannot be reached (\(words)); check the address and that its server runs"
    case .limit: "\(url) has not answered in time; check that its server runs"
    case .answer(let fault): "the answer of \(url) cannot be used: \(fault); check the path"
    }
  }
}
