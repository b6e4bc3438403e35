import NetworkIO
import Signalling

/// Ban in force: a user, a session, or an address of users without a token.
public struct RelayBan: Hashable, Sendable {
  /// App of the user; nil for a session and an address.
  public let app: String?
  /// Uid of the user; nil for a user with an account, a session and an address.
  public let uid: UInt32?
  /// Account of the user; nil for a user without one, a session and an address.
  public let account: String?
  /// Id of the session; nil for a user and an address.
  public let session: String?
  /// IPv4 address, or /64 network of IPv6; nil for a user and a session.
  public let network: String?
  /// End of the ban, in seconds since 1970.
  public let endSeconds: Int64

  init(_ subject: BanTable.Subject, endSeconds: Int64) {
    var (app, uid, account, session, network): (String?, UInt32?, String?, String?, String?)
    switch subject {
    case .user(let id, let user):
      app = id.text
      switch user {
      case .uid(let number): uid = number
      case .account(let name): account = name.text
      }
    case .session(let id): session = id
    case .network(let range): network = range.description
    }
    self.app = app
    self.uid = uid
    self.account = account
    self.session = session
    self.network = network
    self.endSeconds = endSeconds
  }
}
