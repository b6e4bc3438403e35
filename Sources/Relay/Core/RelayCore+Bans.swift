internal import NetworkIO
internal import Signalling

/// Bans, which outlive the end of the user's stay.
extension RelayCore {
  /// Time for which a user without a token is kept out: others may have its address, or its name.
  private static let unprovedNanoseconds = 60_000_000_000

  /// Bans in force.
  func banCount(_ now: Int) -> Int { bans.count(now) }

  /// Bans in force, those that end last first; some may have ended since the last change.
  func listBans(_ now: Int) -> [RelayBan] { bans.list(clock, now) }

  /// Keeps a user out: by its name if the token has proved it, else by its session and its address.
  func ban(_ user: UserIdentity?, with grant: TokenGrant, _ session: Session, _ now: Int) {
    ownCounters.bans += 1
    let time = configuration.banNanoseconds
    guard time > 0 else { return }
    if let proved = proved(user, by: grant) {
      bans.add(.user(session.app, proved), untilNanoseconds: now &+ time, nowNanoseconds: now)
      return
    }
    let end = now &+ min(time, Self.unprovedNanoseconds)
    bans.add(.session(session.id), untilNanoseconds: end, nowNanoseconds: now)
    if let address = session.client?.address {
      bans.add(.network(AddressNetwork(of: address)), untilNanoseconds: end, nowNanoseconds: now)
    }
  }

  /// Refuses a user that is kept out.
  ///
  /// - Parameters:
  ///   - session: id of the session; nil for a new one.
  ///   - connection: connection of the request; its address counts for users without a token.
  func checkBan(
    _ user: UserIdentity?, with grant: TokenGrant, _ app: AppID, session: String?, on connection: Connection?,
    _ now: Int
  ) throws(Refusal) {
    var subjects: [BanTable.Subject] = []
    if let proved = proved(user, by: grant) {
      subjects.append(.user(app, proved))
    } else {
      if let session { subjects.append(.session(session)) }
      if let address = connection?.client.address { subjects.append(.network(AddressNetwork(of: address))) }
    }
    let times = subjects.compactMap { bans.remainingNanoseconds($0, now) }
    guard let longest = times.max() else { return }
    throw .banned("the user is banned for another \((longest - 1) / 1_000_000_000 + 1) s; join after that time")
  }

  /// The user, if the token is for it alone.
  func proved(_ user: UserIdentity?, by grant: TokenGrant) -> UserIdentity? {
    guard let user, let named = grant.token?.user, named == user, named != .uid(0) else { return nil }
    return named
  }
}
