import Signalling

/// Sessions of a relay by their ids and by their users.
struct SessionTable {
  private var byID: [String: Session] = [:]
  private(set) var identities = IdentityTable()

  var count: Int { byID.count }
  var values: some Collection<Session> { byID.values }

  /// Sessions by their ids, so that two runs have one order.
  var ordered: [Session] { byID.values.sorted { $0.id < $1.id } }

  subscript(id: String) -> Session? { byID[id] }

  mutating func insert(_ session: Session) {
    byID[session.id] = session
    identities.insert(session)
  }

  mutating func remove(_ session: Session) {
    byID[session.id] = nil
    identities.remove(session)
  }
}
