"""Where a trip's figures come from, by titles a traveller understands."""

FARES = "마당 교통 요금 추정표"
LODGING = "마당 숙박 요금 추정표"
LIVE_FARES = "실시간 항공 운임"
LIVE_LODGING = "실시간 숙박 요금"
PLACES = "마당 도시별 명소 자료"
COSTS = "마당 여행 경비·환율 추정표"
