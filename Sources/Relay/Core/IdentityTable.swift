import Signalling

/// Sessions by their app and user, for messages between users.
///
/// Cost: constant for a change, and the number of a user's sessions for a search.
struct IdentityTable {
  private struct Key: Hashable {
    let app: AppID
    let user: UserIdentity

    init?(_ session: Session) {
      guard let user = session.identity else { return nil }
      (app, self.user) = (session.app, user)
    }

    init(_ user: UserIdentity, _ app: AppID) { (self.app, self.user) = (app, user) }
  }

  private var sessions: [Key: [String: Session]] = [:]

  /// Number of users with a session.
  var userCount: Int { sessions.count }

  /// Adds a session; one without a user stays outside.
  mutating func insert(_ session: Session) {
    guard let key = Key(session) else { return }
    sessions[key, default: [:]][session.id] = session
  }

  mutating func remove(_ session: Session) {
    guard let key = Key(session) else { return }
    sessions[key]?[session.id] = nil
    if sessions[key]?.isEmpty == true { sessions[key] = nil }
  }

  /// Whether a user of an app has a session that takes messages now.
  func isOnline(_ user: UserIdentity, in app: AppID) -> Bool {
    sessions[Key(user, app)]?.values.contains(where: \.takesMessages) ?? false
  }

  /// Returns the number of sessions of a user of an app.
  func sessionCount(of user: UserIdentity, in app: AppID) -> Int { sessions[Key(user, app)]?.count ?? 0 }

  /// Returns the sessions of a user of an app that take messages now, by their ids, so that two runs have one order.
  func receivers(_ user: UserIdentity, in app: AppID) -> [Session] {
    let receivers = sessions[Key(user, app)]?.values.filter(\.takesMessages) ?? []
    return receivers.count < 2 ? receivers : receivers.sorted { $0.id < $1.id }
  }
}
