// A trip to look at: alternatives side by side, each day along its hours, and a drawn map.

import { useState } from "react";
import type { Record_ } from "../api/types";
import { t } from "../i18n";
import { alternativesOf, daysOf, placesOf } from "./trips";
import type { Alternative, Day, Place } from "./trips";

export function Trip({ data }: { data: Record_ }) {
  const [day, setDay] = useState(0);
  const places = placesOf(data);
  const days = daysOf(data);
  const plans = alternativesOf(data);
  if (!places.length && !days.length && !plans) return null;
  return (
    <div className="trip">
      {plans && <Plans title={plans.title} plans={plans.of} />}
      {(places.length > 1 || days.length > 0) && (
        <section className="days" aria-label={t("day_plan")}>
          <div className="chips" role="group" aria-label={t("day_plan")}>
            <button type="button" className="chip small" aria-pressed={day === 0} onClick={() => setDay(0)}>{t("all_days")}</button>
            {days.map((one, index) => <button key={one.title} type="button" className="chip small" aria-pressed={day === index + 1} onClick={() => setDay(index + 1)}>{one.title}</button>)}
          </div>
          {places.length > 1 && <Map places={places} day={day} />}
          {days.filter((_, index) => day === 0 || day === index + 1).map((one) => <DayLine key={one.title} day={one} index={days.indexOf(one)} />)}
        </section>
      )}
    </div>
  );
}

function Plans({ title, plans }: { title: string; plans: Alternative[] }) {
  return (
    <section className="plans" aria-label={title}>
      <h3>{title}</h3>
      <div className="plan-cards" tabIndex={0} role="region" aria-label={title}>
        {plans.map((plan) => (
          <article key={plan.title} className={plan.advised ? "plan-card advised" : "plan-card"}>
            <h4>{plan.title}{plan.advised && <span className="label">{t("recommended")}</span>}</h4>
            <dl>{plan.facts.map(([name, value]) => <div key={name} className={/합계|total/i.test(name) ? "total" : ""}><dt>{name}</dt><dd>{value}</dd></div>)}</dl>
          </article>
        ))}
      </div>
    </section>
  );
}

const START = 8 * 60;
const END = 22 * 60;

function DayLine({ day, index }: { day: Day; index: number }) {
  const [from, to] = [Math.min(START, ...day.stops.map((one) => one.from)), Math.max(END, ...day.stops.map((one) => one.to))];
  const at = (minute: number): string => `${((minute - from) / (to - from)) * 100}%`;
  return (
    <article className="day-line">
      <h4>{day.title}</h4>
      <div className="hours" aria-hidden="true">
        {day.stops.map((one, n) => <span key={n} className={`hour-stop s${(index % 5) + 1}${one.number === null ? " between" : ""}`} style={{ left: at(one.from), width: `calc(${at(one.to)} - ${at(one.from)})` }} title={`${one.time} ${one.name}`}>{one.number}</span>)}
      </div>
      <ol>{day.stops.map((one, n) => <li key={n} value={one.number ?? 0} className={one.number === null ? "between" : ""}><span className="when">{one.time}</span> <strong>{one.name}</strong>{one.notes.length > 0 && <span className="meta"> {one.notes.join(" · ")}</span>}</li>)}</ol>
    </article>
  );
}

const WIDTH = 640;
const HEIGHT = 360;
const EDGE = 36;

// Places at their true distances from each other; no tiles, nothing is asked of another server.
function Map({ places, day }: { places: Place[]; day: number }) {
  const middle = places.reduce((sum, one) => sum + one.lat, 0) / places.length;
  const flat = places.map((one) => ({ ...one, x: one.lon * Math.cos((middle * Math.PI) / 180), y: -one.lat }));
  const [left, top] = [Math.min(...flat.map((one) => one.x)), Math.min(...flat.map((one) => one.y))];
  const [wide, high] = [Math.max(...flat.map((one) => one.x)) - left || 1e-6, Math.max(...flat.map((one) => one.y)) - top || 1e-6];
  const scale = Math.min((WIDTH - EDGE * 2) / wide, (HEIGHT - EDGE * 2) / high);
  const spot = flat.map((one) => ({ ...one, x: EDGE + (one.x - left) * scale + (WIDTH - EDGE * 2 - wide * scale) / 2, y: EDGE + (one.y - top) * scale + (HEIGHT - EDGE * 2 - high * scale) / 2 }));
  const days = [...new Set(spot.map((one) => one.day))];
  const kilometre = scale / 111.32;
  return (
    <svg className="map" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`${t("map")}: ${places.map((one) => one.name).join(", ")}`}>
      {days.map((each) => {
        const stops = spot.filter((one) => one.day === each);
        const dim = day !== 0 && day !== each;
        return (
          <g key={each} className={`route s${((each - 1) % 5) + 1}${dim ? " dim" : ""}`}>
            <polyline points={stops.map((one) => `${one.x},${one.y}`).join(" ")} />
            {stops.map((one, n) => (
              <g key={n}>
                <circle cx={one.x} cy={one.y} r="11" />
                <text x={one.x} y={one.y + 4} textAnchor="middle">{n + 1}</text>
                {day === each && <text className="name" x={one.x} y={one.y - 16} textAnchor="middle">{one.name}</text>}
                <title>{one.name}</title>
              </g>
            ))}
          </g>
        );
      })}
      <g className="scale"><line x1={EDGE} x2={EDGE + kilometre} y1={HEIGHT - 14} y2={HEIGHT - 14} /><text x={EDGE + kilometre + 6} y={HEIGHT - 10}>1 km</text></g>
    </svg>
  );
}
