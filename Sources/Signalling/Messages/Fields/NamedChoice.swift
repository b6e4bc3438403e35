/// Value that messages name by a text of a fixed set.
protocol NamedChoice: CaseIterable {
  var name: String { get }
}

extension ClientRole: NamedChoice {}
extension ChannelProfile: NamedChoice {}
