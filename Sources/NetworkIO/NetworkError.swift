import Glibc
public import Platform

/// Error of a socket or an address. The description names the problem, the address and a remedy.
public struct NetworkError: Error, Hashable, CustomStringConvertible {
  /// Reason why a socket or an address is not usable.
  public enum Reason: Hashable, Sendable {
    /// The text does not have the form HOST:PORT.
    case address
    /// The name of the host is unknown, with the resolver's message.
    case unknownHost(String)
    /// The socket cannot be created or bound (errno).
    case bind(Int32)
    /// The group cannot be joined on any interface (errno).
    case join(Int32)
    /// The address is not reachable from this machine (errno).
    case unreachable(Int32)
    /// A proxy would forward datagrams to itself.
    case loop
  }

  /// Reason for the error.
  public let reason: Reason
  /// Address as given.
  public let address: String

  package init(_ reason: Reason, _ address: String) {
    self.reason = reason
    self.address = address
  }

  public var description: String {
    switch reason {
    case .address:
      "'\(address)' is not an address; write HOST:PORT, such as 127.0.0.1:5004, [::1]:5004 or :5004 for any"
    case .unknownHost(let text): "the host of '\(address)' is not known (\(text)); check its name"
    case .bind(EADDRINUSE): "\(address) is in use by another program; choose another port"
    case .bind(EACCES):
      "\(address) may not be used by this user; choose a port from 1024 on, or give the program CAP_NET_BIND_SERVICE"
    case .bind(EADDRNOTAVAIL): "\(address) is not an address of this machine; choose one that 'ip address' shows"
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

extension NetworkError: ExitStatusError {
  /// 64 for a wrong address. A host that is unknown today is a fault of the network: 69.
  public var exitStatus: Int32 {
    switch reason {
    case .address, .loop: EX_USAGE
    case .unknownHost, .bind, .join, .unreachable: EX_UNAVAILABLE
    }
  }
}
