import JSON

extension JSONWriter {
  mutating func optional(_ name: String, _ text: String?) { if let text { field(name, text) } }
  mutating func optional(_ name: String, _ secret: SecretText?) { optional(name, secret?.text) }
  mutating func optional(_ name: String, _ flag: Bool?) { if let flag { field(name, flag) } }
  mutating func optional(_ name: String, _ number: UInt32?) { if let number { field(name, number) } }

  mutating func channel(_ name: ChannelName?) { optional("channel", name?.text) }

  mutating func user(_ user: UserIdentity) {
    switch user {
    case .uid(let uid): field("uid", uid)
    case .account(let account): field("account", account.text)
    }
  }
}
