import JSON

/// Answer to `diagnose`: a finding for each user.
public struct DiagnosisAnswer: Hashable, Sendable, MessageContent {
  static let type = "diagnosis"

  /// Id of the request.
  public let id: UInt32
  /// Channel.
  public let channel: ChannelName
  /// Findings, at most `MessageLimits.findingCount`.
  public let findings: [DiagnosisFinding]

  /// Creates an answer.
  public init(id: UInt32, channel: ChannelName, findings: [DiagnosisFinding] = []) {
    self.id = id
    self.channel = channel
    self.findings = findings
  }

  init(_ fields: MessageFields) throws(MessageError) {
    id = try fields.requiredID()
    channel = try fields.requiredChannel()
    var findings: [DiagnosisFinding] = []
    for fields in try fields.objects("findings", atMost: MessageLimits.findingCount) ?? [] {
      findings.append(try DiagnosisFinding(fields))
    }
    self.findings = findings
  }

  func write(to json: inout JSONWriter) {
    json.field("id", id)
    json.channel(channel)
    json.array("findings") { json in
      for element in findings { json.object { element.write(to: &$0) } }
    }
  }
}
