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
    /// No interface lets a group be joined (errno).
    case join(Int32)
    /// Nothing can be sent there from this machine (errno).
    case unreachable(Int32)
    /// A proxy would pass on to itself.
    case loop
  }

  /// What happened.
  public let reason: Reason
  /// The address as it was given.
  public let address: String

  package init(_ reason: Reason, _ address: String) {
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
    case .join(let code):
      "the group \(address) cannot be joined (\(String(cString: strerror(code)))); check this machine's network"
    case .unreachable(let code):
      "\(address) cannot be sent to (\(String(cString: strerror(code)))); check the address and this machine's network"
    case .loop:
      "what comes to \(address) would be passed on to itself for ever; choose another address to pass it on to"
    }
  }
}
