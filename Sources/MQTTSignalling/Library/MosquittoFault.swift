/// Reason why a connection could not be made, or has ended.
struct MosquittoFault: Error, Sendable {
  /// Kinds that callers treat differently.
  enum Kind: Sendable {
    /// The network; the next attempt may succeed.
    case network
    /// TLS: certificates or versions; the next attempt fails as well until somebody changes them.
    case tls
    /// A message that the connection cannot carry; the connection lives on.
    case message
  }

  let kind: Kind
  /// Clause without a period, such as "connection refused".
  let text: String
}
