import Glibc

/// Why a socket or an address cannot be used: what is wrong, where, and what to do.
public struct NetworkError: Error, Hashable, CustomStringConvertible {
  /// The reasons.
  public enum Reason: Hashable, Sendable {
    /// Not HOST:PORT.
    case address
    /// No host of this name is known; what the resolver says.
    case unknownHost(String)
    /// The socket cannot be made or bound (errno).
    case bind(Int32)
  }

  /// What happened.
  public let reason: Reason
  /// The address as it was given.
  public let address: String

  init(_ reason: Reason, _ address: String) {
    self.reason = reason
    self.address = address
  }

  public var description: String {
    switch reason {
    case .address: "'\(address)' is no address; write HOST:PORT, such as 127.0.0.1:5004, [::1]:5004 or :5004 for any"
    case .unknownHost(let text): "the host of '\(address)' is not known (\(text)); check its name"
    case .bind(EADDRINUSE): "\(address) is in use by another program; choose another port"
    case .bind(EACCES): "\(address) may not be used by this user; choose a port from 1024 on"
    case .bind(EADDRNOTAVAIL): "\(address) is no address of this machine; choose one that 'ip address' shows"
    case .bind(let code): "\(address) cannot be listened on (\(String(cString: strerror(code)))); choose another"
    }
  }
}
