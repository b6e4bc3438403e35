internal import Signalling

/// At the end of its token, a session continues with the token of one of its channels.
extension RelayCore {
  /// Returns the member with a token of its own that lets the session continue for the longest time.
  ///
  /// Its token must name the session's user, as in `hello`: a token for uid 0 proves no user.
  ///
  /// - Parameter end: Second that the token must outlive.
  func heir(of session: Session, outliving end: Int64, _ now: Int) -> Member? {
    var heir: (member: Member, end: Int64)?
    for member in session.ordered {
      guard let own = member.ownGrant, let token = own.token, token.expires > max(end, heir?.end ?? .min),
        isValid(own, session.app, now), !own.isInherited,
        session.identity == nil || token.user == session.identity
      else { continue }
      heir = (member, token.expires)
    }
    return heir?.member
  }

  /// Lets a session continue with the token of a member. Members without a token of their own keep the session's former
  /// one, so that its end is theirs.
  func adopt(_ heir: Member, _ session: Session, _ now: Int) {
    guard let grant = heir.ownGrant else { return }
    var former = session.grant
    former.isInherited = true
    let heirs = session.membersWithoutToken
    for member in heirs { member.ownGrant = former }
    session.grant = grant
    session.lender = heir.channel.name
    session.isExpired = false
    for member in heirs { poll(member, now) }
  }

  /// Returns the member with the token that the session has adopted; nil if the token is the session's alone.
  func lender(of session: Session) -> Member? {
    guard let name = session.lender, let member = session.members[name], let token = session.grant.token,
      member.ownGrant?.token == token
    else { return nil }
    return member
  }

  /// Returns the members with a former token of the session that may return to a new one.
  func returning(to grant: TokenGrant, _ session: Session) -> [Member] {
    session.ordered.filter { member in
      guard member.ownGrant?.isInherited == true else { return false }
      do throws(Refusal) {
        try check(grant, for: [member])
        return true
      } catch {
        return false
      }
    }
  }

  /// Returns the token that a member has had from an earlier join, for a join without one: if it is valid, and if the
  /// session's token is not for the channel.
  func continuingGrant(_ request: JoinRequest, _ session: Session, _ now: Int) -> TokenGrant? {
    guard let own = session.members[request.channel]?.ownGrant, isValid(own, session.app, now),
      case .channel(let name)? = session.grant.token?.scope, name != request.channel
    else { return nil }
    return own
  }

  private func isValid(_ grant: TokenGrant, _ app: AppID, _ now: Int) -> Bool {
    guard let token = grant.token else { return false }
    return milliseconds(until: token, now) > 0 && !isRevoked(grant, app)
  }
}
