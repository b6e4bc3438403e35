internal import Signalling

extension RelayCore {
  /// Whether lines about users are kept for `takeUserLog`.
  package var logsUsers: Bool {
    get { userLog.isOn }
    set { userLog.isOn = newValue }
  }

  /// Takes the lines about users that have joined or left, or were refused.
  package func takeUserLog() -> [String] { userLog.takeLines() }

  func log(_ event: String, _ member: Member, reason: String? = nil) {
    userLog.append(
      UserLogLine(
        event: event, app: member.session.app, channel: member.channel.name,
        user: "uid \(member.uid)" + (member.account.map { ", account '\($0)'" } ?? ""), role: member.role,
        client: member.client, reason: reason
      ).description)
  }

  /// Refuses a request for a channel.
  func refuse(_ request: JoinRequest, _ session: Session, _ report: FailureReport) {
    refuse(session.connection, report, user: request.user, role: request.role, info: request.info)
  }

  func logRefusal(
    _ connection: Connection?, _ report: FailureReport, _ user: UserIdentity?, _ role: ClientRole?, _ info: String?
  ) {
    let session = connection?.session
    let member = report.channel.flatMap { session?.members[$0] }
    var client = connection?.client
    if let info = info ?? member?.info { client?.info = info }
    userLog.append(
      UserLogLine(
        event: "refused", app: session?.app, channel: report.channel,
        user: (user ?? member?.identity ?? session?.identity ?? session?.grant.token?.user)?.description,
        role: role ?? member?.role,
        client: client, reason: "\(report.code.rawValue): \(report.sentence)"
      ).description)
  }
}
